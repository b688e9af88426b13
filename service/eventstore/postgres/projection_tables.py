"""The tables in which a store on PostgreSQL keeps projections.

The columns ``former``, ``holder``, ``until`` and ``seal`` of ``projections`` are unused.
"""

from __future__ import annotations

from typing import Final

PROJECTION_TABLES: Final = ("projections", "projected", "projected_tags")
"""Tables of what was computed from the events: all can be computed again, and none proves anything."""

_PROJECTIONS: Final = """
    CREATE TABLE projections (
        name text COLLATE "C" PRIMARY KEY,
        maker text NOT NULL,
        position bigint NOT NULL DEFAULT 0,
        former text NOT NULL DEFAULT '',
        holder text,
        until timestamptz
    )"""

_PROJECTED: Final = """
    CREATE TABLE projected (
        name text COLLATE "C" NOT NULL,
        root_key bigint NOT NULL,
        noted bigint NOT NULL,
        turn integer NOT NULL DEFAULT 0,
        due boolean NOT NULL DEFAULT true,
        place text COLLATE "C",
        body bytea,
        PRIMARY KEY (name, root_key)
    )"""

_PROJECTED_TAGS: Final = """
    CREATE TABLE projected_tags (
        name text COLLATE "C" NOT NULL,
        tag text COLLATE "C" NOT NULL,
        root_key bigint NOT NULL,
        PRIMARY KEY (name, tag, root_key)
    )"""

# An event changes only when it is erased; projections made from it are then deleted. The erasing function
# runs with its owner's rights, and calls this. Building a projection takes this lock too, so no process reads
# what is about to be erased, and two processes never wait for each other.
_ERASED_IS_NOT_KEPT: Final = """
    CREATE FUNCTION erased_is_not_kept() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        LOCK TABLE projections IN SHARE ROW EXCLUSIVE MODE;
        UPDATE projected SET body = NULL, due = true, turn = turn + 1 WHERE root_key = NEW.root_key;
        DELETE FROM projected_tags WHERE root_key = NEW.root_key;
        RETURN NULL;
    END $$"""

# Users who may read or add events keep working without further grants by the owner; nobody else gains rights.
_LET_IN_AS_BEFORE: Final = """
    DO $$
    DECLARE
        let_in record;
    BEGIN
        FOR let_in IN
            SELECT pg_get_userbyid(a.grantee) AS name, bool_or(a.privilege_type = 'INSERT') AS writes
            FROM pg_class AS c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
            WHERE c.oid = 'events'::regclass AND a.grantee NOT IN (0, c.relowner)
            GROUP BY a.grantee
        LOOP
            EXECUTE format(
                'GRANT %s ON projections, projected, projected_tags TO %I',
                CASE WHEN let_in.writes THEN 'SELECT, INSERT, UPDATE, DELETE' ELSE 'SELECT' END, let_in.name
            );
        END LOOP;
    END $$"""

CREATE_PROJECTIONS_STEP: Final = (
    _PROJECTIONS,
    _PROJECTED,
    "CREATE INDEX projected_by_place ON projected (name, place)",
    "CREATE INDEX projected_by_root ON projected (root_key)",
    "CREATE INDEX projected_due ON projected (name, noted) WHERE due",
    "CREATE INDEX projected_unkept ON projected (name) WHERE body IS NULL",
    _PROJECTED_TAGS,
    "CREATE INDEX projected_tags_by_root ON projected_tags (root_key)",
    _ERASED_IS_NOT_KEPT,
    "CREATE TRIGGER events_not_kept AFTER UPDATE ON events FOR EACH ROW "
    "EXECUTE FUNCTION erased_is_not_kept()",
    _LET_IN_AS_BEFORE,
)
"""The fourth step: projections are stored next to the events (`service.eventstore.projections`)."""

SEAL_PROJECTIONS_STEP: Final = ("ALTER TABLE projections ADD COLUMN seal text NOT NULL DEFAULT ''",)
"""The fifth step: a digest protects the progress of a projection."""
