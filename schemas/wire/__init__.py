"""Events and entries as JSON: declaration, reader, writer, marshmallow schemas."""
