//! Neither a core nor an accessor goes to another thread: `std::thread::scope` asks for `Send`.
//!
//! Proved by assertions, since the compiler's own words about it list every private field of a core.

use neuron_device::{Accessor, AccessorMut, Elements, ElementsMut, Q7};
use static_assertions::assert_not_impl_any;

assert_not_impl_any!(Q7: Send, Sync);
assert_not_impl_any!(&Q7: Send, Sync);
assert_not_impl_any!(Elements<'static, f32>: Send, Sync);
assert_not_impl_any!(ElementsMut<'static, f32>: Send, Sync);
assert_not_impl_any!(Accessor<'static, f32, 2>: Send, Sync);
assert_not_impl_any!(AccessorMut<'static, f32, 2>: Send, Sync);

fn main() {}
