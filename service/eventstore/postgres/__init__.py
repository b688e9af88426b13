"""The event store on PostgreSQL."""
