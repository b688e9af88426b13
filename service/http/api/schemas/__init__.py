"""What the API asks and answers, as marshmallow schemas: the published contract."""
