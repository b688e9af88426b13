/** What the club's members are called where one of them is chosen: briefly, or in full where two are alike. */

const shortName = ({ short, name }) => short || name.split(" ")[0];

export class MemberDisplayNames {
  /** `members` as the service lists them: `{id, name, short}`. */
  constructor(members) {
    this.members = members;
    const counts = new Map();
    for (const one of members) counts.set(shortName(one), (counts.get(shortName(one)) ?? 0) + 1);
    this.names = new Map(members.map((one) => [one.id, counts.get(shortName(one)) > 1 ? one.name : shortName(one)]));
  }

  /** How a member is called; null for who is none, or is not known here. */
  displayName(id) {
    return this.names.get(id) ?? null;
  }

  /** The member whom a name means, however it was written; null for anybody else. */
  findMemberId(name) {
    const found = this.members.find((one) => this.names.get(one.id) === name || one.name === name);
    return found?.id ?? null;
  }
}
