"""The API's endpoints, a module for each kind of resource."""
