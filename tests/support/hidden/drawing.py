"""Lawful deals that agree with a record, found by trying."""

from tests.support.hidden.by_trying import examined, policy_of
from tests.support.hidden.naive import Event, World, agrees, broken, led_by_winners, rearranged


def lawful_worlds(visible: list[Event], world: World, unsure: list[str]) -> list[World]:
    """Every lawful complete deal that agrees, by trying; revokes that are in all of them are excepted."""
    _, _, state = examined(visible)
    worlds = [one for one in rearranged(world, unsure) if agrees(one, visible)]
    policy = policy_of(state)
    offences = set.intersection(*(broken(one, policy) for one in worlds))
    return [one for one in worlds if broken(one, policy) <= offences and led_by_winners(one, policy)]
