//! The SDK's own mocks with Dyna: see the tests.
