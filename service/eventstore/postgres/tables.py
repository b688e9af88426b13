"""The tables of a store on PostgreSQL: what they refuse by themselves, and the steps that create them.

They are in the first schema of the connection's ``search_path`` (usually ``public``).

* ``roots`` and ``streams`` map names to keys. ``events`` has every event with its proof, in hash partitions
  by root: every query of an append, a replay or a repeat names the root.
* ``log`` gives each event its position after commit (`service.eventstore.postgres.sequencer`). The last row
  of a batch of positions stores the snapshot in which the batch was seen.
* ``eras`` distinguishes transaction numberings: another cluster, to which a dump was restored, starts again.

Triggers refuse any change or removal of a row, for every user; only contents can be erased, by the function
`erase_contents`, which runs with its owner's rights. So a user who may only insert, read and call that
function (`SERVICE_USER_GRANTS`) can neither change nor remove what happened.

A published step is never changed: a change to the tables is a further step.
"""

from __future__ import annotations

from typing import Final, LiteralString

from service.eventstore.postgres.projection_tables import CREATE_PROJECTIONS_STEP, SEAL_PROJECTIONS_STEP

EVENT_PARTITIONS: Final = 16
"""Partitions of the event table, by root. More partitions make every plan a little slower, fewer distribute
the load less."""

STEPS_TABLE: Final = "spadille_steps"
"""The table that lists the applied steps; it identifies a store."""
STORE_TABLES: Final = ("roots", "streams", "events", "log", "eras", "subtrees", "erasures", "secrets")

SERVICE_USER_GRANTS: Final[tuple[LiteralString, ...]] = (
    "GRANT SELECT, INSERT ON roots, streams, events, log, eras, subtrees TO {user}",
    "GRANT SELECT ON spadille_steps, secrets, erasures TO {user}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON projections, projected, projected_tags TO {user}",
    "GRANT EXECUTE ON FUNCTION erase_contents, place_events TO {user}",
)
"""The rights of the user that the service runs as, if it is not the owner of the tables."""

_ROOTS: Final = """
    CREATE TABLE roots (
        root_key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        root text COLLATE "C" NOT NULL UNIQUE
    )"""

_STREAMS: Final = """
    CREATE TABLE streams (
        stream_key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        stream text COLLATE "C" NOT NULL UNIQUE,
        root_key bigint NOT NULL REFERENCES roots,
        kind text COLLATE "C" NOT NULL
    )"""

_ERAS: Final = """
    CREATE TABLE eras (
        era integer PRIMARY KEY CHECK (era > 0),
        system_identifier bigint NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT now()
    )"""

# No foreign key: its check would lock the stream's row at each append. Streams are never removed, and the
# trigger checks that there is one.
_EVENTS: Final = """
    CREATE TABLE events (
        root_key bigint NOT NULL,
        stream_key bigint NOT NULL,
        version integer NOT NULL CHECK (version > 0),
        event_id text COLLATE "C" NOT NULL,
        stored_at text NOT NULL,
        digest bytea NOT NULL,
        body bytea NOT NULL,
        salt bytea CHECK (octet_length(salt) = 16),
        leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
        era integer NOT NULL,
        tx xid8 NOT NULL,
        ordinal integer NOT NULL,
        PRIMARY KEY (root_key, stream_key, version),
        UNIQUE (root_key, event_id)
    ) PARTITION BY HASH (root_key)"""

_LOG: Final = """
    CREATE TABLE log (
        position bigint PRIMARY KEY CHECK (position > 0),
        root_key bigint NOT NULL,
        stream_key bigint NOT NULL,
        version integer NOT NULL,
        leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
        era integer NOT NULL,
        seen pg_snapshot,
        UNIQUE (stream_key, version)
    )"""

_SUBTREES: Final = """
    CREATE TABLE subtrees (
        level integer NOT NULL,
        number bigint NOT NULL,
        hash bytea NOT NULL CHECK (octet_length(hash) = 32),
        PRIMARY KEY (level, number)
    )"""

_ERASURES: Final = """
    CREATE TABLE erasures (
        root_key bigint NOT NULL,
        stream_key bigint NOT NULL,
        version integer NOT NULL,
        commitment bytea NOT NULL CHECK (octet_length(commitment) = 32),
        erased_at text NOT NULL,
        PRIMARY KEY (stream_key, version)
    )"""

_SECRETS: Final = """
    CREATE TABLE secrets (
        one integer PRIMARY KEY CHECK (one = 1),
        secret bytea NOT NULL CHECK (octet_length(secret) = 32)
    )"""

# The writer never decides the stored time. The trigger looks for a predecessor, not for the highest version:
# together with the primary key that also leaves no gap, and costs one lookup.
_ARRIVES: Final = """
    CREATE FUNCTION event_arrives() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF NOT EXISTS (
            SELECT FROM streams AS s WHERE s.stream_key = NEW.stream_key AND s.root_key = NEW.root_key
        ) THEN
            RAISE EXCEPTION 'an event belongs to the root of its stream';
        END IF;
        IF NEW.version > 1 AND NOT EXISTS (
            SELECT FROM events AS e WHERE e.root_key = NEW.root_key AND e.stream_key = NEW.stream_key
            AND e.version = NEW.version - 1
        ) THEN
            RAISE EXCEPTION 'an event takes the next version of its stream';
        END IF;
        IF NEW.salt IS NULL THEN
            RAISE EXCEPTION 'an event has a salt and a leaf hash';
        END IF;
        NEW.tx := pg_current_xact_id();
        NEW.era := (SELECT max(era) FROM eras);
        RETURN NEW;
    END $$"""

_IS_PLACED: Final = """
    CREATE FUNCTION event_is_placed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF NEW.position > 1 AND NOT EXISTS (SELECT FROM log WHERE position = NEW.position - 1) THEN
            RAISE EXCEPTION 'an event takes the next position';
        END IF;
        IF NOT EXISTS (
            SELECT FROM events AS e WHERE e.root_key = NEW.root_key AND e.stream_key = NEW.stream_key
            AND e.version = NEW.version AND e.leaf = NEW.leaf
        ) THEN
            RAISE EXCEPTION 'the log has the leaf of an event';
        END IF;
        RETURN NEW;
    END $$"""

_REFUSE: Final = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is only appended to', TG_ARGV[0];
    END $$"""

_CHANGES: Final = """
    CREATE FUNCTION event_changes() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF (NEW.root_key, NEW.stream_key, NEW.version, NEW.event_id, NEW.stored_at, NEW.leaf, NEW.era, NEW.tx,
            NEW.ordinal) IS DISTINCT FROM (OLD.root_key, OLD.stream_key, OLD.version, OLD.event_id,
            OLD.stored_at, OLD.leaf, OLD.era, OLD.tx, OLD.ordinal)
            OR NEW.salt IS NOT NULL
            OR NOT EXISTS (
                SELECT FROM erasures AS x WHERE x.stream_key = OLD.stream_key AND x.version = OLD.version
            )
        THEN
            RAISE EXCEPTION 'events is only appended to';
        END IF;
        RETURN NEW;
    END $$"""

# Callers need no right to change events: the function runs as its owner, and does only this.
_ERASE: Final = """
    CREATE FUNCTION erase_contents(
        in_root bigint, in_stream bigint, at_version integer,
        standin bytea, standin_digest bytea, committed bytea, moment text
    ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
        INSERT INTO erasures
        SELECT in_root, in_stream, at_version, committed, moment
        FROM events AS e
        WHERE e.root_key = in_root AND e.stream_key = in_stream AND e.version = at_version
            AND e.salt IS NOT NULL
            AND sha256(e.salt || e.body) = committed;
        UPDATE events SET body = standin, digest = standin_digest, salt = NULL
        WHERE root_key = in_root AND stream_key = in_stream AND version = at_version;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no such event';
        END IF;
    END $$"""

# The lock comes first, so that the next statement sees the positions that its previous holder assigned.
# Events inserted in the same transaction are not committed in the snapshot that it stores: they are in the
# log.
_PLACE: Final = """
    CREATE FUNCTION place_events(lock_key bigint)
    RETURNS TABLE (placed_at bigint, placed_stream text, placed_version integer)
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    DECLARE
        now_era integer;
        head bigint;
        before pg_snapshot;
    BEGIN
        PERFORM pg_advisory_xact_lock(lock_key);
        SELECT max(era) INTO now_era FROM eras;
        SELECT l.position, CASE WHEN l.era = now_era THEN l.seen END INTO head, before
        FROM log AS l ORDER BY l.position DESC LIMIT 1;
        head := coalesce(head, 0);
        before := coalesce(before, '1:1:'::pg_snapshot);
        RETURN QUERY
        WITH fresh AS (
            SELECT e.root_key, e.stream_key, e.version, e.leaf,
                   row_number() OVER (ORDER BY e.tx, e.ordinal) AS number, count(*) OVER () AS total
            FROM events AS e
            WHERE e.era = now_era AND e.tx >= pg_snapshot_xmin(before)
                AND NOT pg_visible_in_snapshot(e.tx, before)
                AND (SELECT l.position FROM log AS l
                    WHERE l.stream_key = e.stream_key AND l.version = e.version) IS NULL
        ), placed AS (
            INSERT INTO log (position, root_key, stream_key, version, leaf, era, seen)
            SELECT head + f.number, f.root_key, f.stream_key, f.version, f.leaf, now_era,
                   CASE WHEN f.number = f.total THEN pg_current_snapshot() END
            FROM fresh AS f ORDER BY f.number
            RETURNING log.position, log.stream_key, log.version
        )
        SELECT p.position, s.stream, p.version
        FROM placed AS p JOIN streams AS s ON s.stream_key = p.stream_key ORDER BY p.position;
    END $$"""

_TRIGGERS: Final = (
    "CREATE TRIGGER events_arrive BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION event_arrives()",
    "CREATE TRIGGER events_change BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION event_changes()",
    "CREATE TRIGGER events_stay BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse('events')",
    "CREATE TRIGGER log_grows BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION event_is_placed()",
    *(
        f"CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION refuse('{table}')"
        for table in STORE_TABLES
        if table != "events"
    ),
    # A statement trigger does not apply to the partitions, which TRUNCATE can also name.
    *(
        f"CREATE TRIGGER {table}_truncate BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION refuse('{table}')"
        for table in (*STORE_TABLES, *(f"events_{part}" for part in range(EVENT_PARTITIONS)))
    ),
)

STREAMS_AND_EVENTS: Final = (
    _ROOTS,
    _STREAMS,
    "CREATE INDEX streams_by_root ON streams (root_key)",
    "CREATE INDEX streams_by_kind ON streams (kind, stream_key)",
    _ERAS,
    _EVENTS,
    *(
        f"CREATE TABLE events_{part} PARTITION OF events "
        f"FOR VALUES WITH (MODULUS {EVENT_PARTITIONS}, REMAINDER {part})"
        for part in range(EVENT_PARTITIONS)
    ),
    "CREATE INDEX events_by_arrival ON events (era, tx)",
    _LOG,
    "CREATE INDEX log_beginnings ON log (position) INCLUDE (stream_key) WHERE version = 1",
    _SUBTREES,
    _ERASURES,
    _SECRETS,
    _REFUSE,
    _ARRIVES,
    _CHANGES,
    _IS_PLACED,
    _ERASE,
    _PLACE,
    # PostgreSQL lets everybody execute a new function; the grants decide instead.
    "REVOKE EXECUTE ON FUNCTION erase_contents, place_events FROM PUBLIC",
    *_TRIGGERS,
)
"""The first step: the tables, and what they refuse."""

# The second step makes an append cheaper, at a constant cost. A query that names its root only at run time is
# searched for in the plans of all partitions, which takes longer than the lookup itself: so the trigger looks
# for an event's predecessor in the log first, where it nearly always is, and checks a batch of positions
# against its events in one query. And a plan made for a small table has no choice of indexes: only one begins
# with a root.
_BY_ID: Final = (
    "ALTER TABLE events ADD UNIQUE (event_id, root_key)",
    "ALTER TABLE events DROP CONSTRAINT events_root_key_event_id_key",
)

_ARRIVES_LIGHTLY: Final = """
    CREATE OR REPLACE FUNCTION event_arrives() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF NEW.root_key IS DISTINCT FROM (
            SELECT s.root_key FROM streams AS s WHERE s.stream_key = NEW.stream_key
        ) THEN
            RAISE EXCEPTION 'an event belongs to the root of its stream';
        END IF;
        IF NEW.version > 1 THEN
            IF NOT EXISTS (
                SELECT FROM log AS l WHERE l.stream_key = NEW.stream_key AND l.version = NEW.version - 1
            ) THEN
                IF NOT EXISTS (
                    SELECT FROM events AS e WHERE e.root_key = NEW.root_key
                    AND e.stream_key = NEW.stream_key AND e.version = NEW.version - 1
                ) THEN
                    RAISE EXCEPTION 'an event takes the next version of its stream';
                END IF;
            END IF;
        END IF;
        IF NEW.salt IS NULL THEN
            RAISE EXCEPTION 'an event has a salt and a leaf hash';
        END IF;
        NEW.tx := pg_current_xact_id();
        NEW.era := (SELECT max(era) FROM eras);
        RETURN NEW;
    END $$"""

_IS_PLACED_NEXT: Final = """
    CREATE OR REPLACE FUNCTION event_is_placed() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF NEW.position > 1 AND NOT EXISTS (SELECT FROM log WHERE position = NEW.position - 1) THEN
            RAISE EXCEPTION 'an event takes the next position';
        END IF;
        RETURN NEW;
    END $$"""

# One lookup for each of a few rows, whatever a plan assumes of a table that was empty when it was made.
_ARE_PLACED: Final = """
    CREATE FUNCTION events_are_placed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM placed AS p WHERE p.leaf IS DISTINCT FROM (
                SELECT e.leaf FROM events AS e WHERE e.root_key = p.root_key
                AND e.stream_key = p.stream_key AND e.version = p.version
            )
        ) THEN
            RAISE EXCEPTION 'the log has the leaf of an event';
        END IF;
        RETURN NULL;
    END $$"""

# As before, but the streams' names are looked up one by one, as a plan might otherwise read all of them to
# join.
_PLACE_LIGHTLY: Final = (
    _PLACE.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    .replace("s.stream, p.", "(SELECT s.stream FROM streams AS s WHERE s.stream_key = p.stream_key), p.")
    .replace(" JOIN streams AS s ON s.stream_key = p.stream_key", "")
)

LIGHTER_APPENDS: Final = (
    *_BY_ID,
    _ARRIVES_LIGHTLY,
    _ARE_PLACED,
    "CREATE TRIGGER log_of_events AFTER INSERT ON log REFERENCING NEW TABLE AS placed "
    "FOR EACH STATEMENT EXECUTE FUNCTION events_are_placed()",
    _IS_PLACED_NEXT,
    _PLACE_LIGHTLY,
)
"""The second step: the same refusals at lower cost."""

# The index covers only first events that branch off another record; few do.
BRANCHES_ARE_FOUND: Final = (
    "CREATE INDEX events_of_branches ON events (stream_key) "
    "WHERE version = 1 AND position('\\x226272616e636822'::bytea IN body) > 0",
)
"""The third step: variations of a deal are found without reading all deals."""

MIGRATION_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "0001_streams_and_events": STREAMS_AND_EVENTS,
    "0002_lighter_appends": LIGHTER_APPENDS,
    "0003_branches_are_found": BRANCHES_ARE_FOUND,
    "0004_projections": CREATE_PROJECTIONS_STEP,
    "0005_projections_are_sealed": SEAL_PROJECTIONS_STEP,
}
"""All published steps, in order."""
