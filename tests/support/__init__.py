"""What several tests use: records, clients, servers, the slow model of the rules."""
