"""What whoever runs the service needs of it: logs, metrics, readiness."""
