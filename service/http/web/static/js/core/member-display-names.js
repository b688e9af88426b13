// @ts-check
/** What the club's members are called where one of them is chosen: briefly, or in full where two are alike. */

/** @typedef {{ id: string, name: string, short: string }} Member - as the service lists it */

/** @param {Member} member */
const shortName = ({ short, name }) => short || name.split(" ")[0];

export class MemberDisplayNames {
  /** @param {Member[]} members */
  constructor(members) {
    this.members = members;
    const counts = new Map();
    for (const one of members) counts.set(shortName(one), (counts.get(shortName(one)) ?? 0) + 1);
    this.names = new Map(members.map((one) => [one.id, counts.get(shortName(one)) > 1 ? one.name : shortName(one)]));
  }

  /** How a member is called; null for who is none, or is not known here. @param {string} id */
  displayName(id) {
    return this.names.get(id) ?? null;
  }

  /** The member whom a name means, however it was written; null for anybody else. @param {string} name */
  findMemberId(name) {
    const found = this.members.find((one) => this.names.get(one.id) === name || one.name === name);
    return found?.id ?? null;
  }
}
