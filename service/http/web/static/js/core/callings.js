/** What the club's members are called where one of them is chosen: briefly, or in full where two are alike. */

const brief = ({ short, name }) => short || name.split(" ")[0];

export class Callings {
  /** `members` as the service lists them: `{id, name, short}`. */
  constructor(members) {
    this.members = members;
    const often = new Map();
    for (const one of members) often.set(brief(one), (often.get(brief(one)) ?? 0) + 1);
    this.told = new Map(members.map((one) => [one.id, often.get(brief(one)) > 1 ? one.name : brief(one)]));
  }

  /** How a member is called; null for who is none, or is not known here. */
  called(id) {
    return this.told.get(id) ?? null;
  }

  /** The member whom a name means, however it was written; null for anybody else. */
  meant(name) {
    const found = this.members.find((one) => this.told.get(one.id) === name || one.name === name);
    return found?.id ?? null;
  }
}
