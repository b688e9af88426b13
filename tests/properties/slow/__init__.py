"""A second, slow reading of the `dlu` rules, made without a look at the engine, to test it by."""
