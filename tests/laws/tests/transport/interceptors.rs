//! Interceptors.
