"""The library of historic and annotated deals."""
