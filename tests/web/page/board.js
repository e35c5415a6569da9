// The toy has a module, so that its view is sent as it is.
