use core::ptr::NonNull;

use super::*;
use crate::words::addr::HbmAddr;

/// Elements of 4 bytes, seven of them every 12 bytes in a window of 88 bytes: the eighth would be at its end.
#[test]
fn steps_end_where_the_window_or_the_stretch_does() {
    let mut memory = [0_u64; 11];
    let native = NonNull::from(&mut memory[..]).cast::<u8>();
    // SAFETY: the window is `memory`, which nobody else uses.
    let window = unsafe { MappedWindow::new(HbmAddr::new(0x1000), 88, native) };
    for (first, step, end, expected) in [
        (4, 12, 100, 6),
        (0, 12, 100, 7),
        // The last one wanted would begin where the window ends.
        (4, 12, 18, 6),
        (4, 12, 17, 6),
        (4, 12, 13, 2),
        (4, 12, 11, 0),
        (80, 4, 100, 1),
        (84, 4, 100, 0),
        (0, u64::MAX - 3, 100, 0),
    ] {
        let steps = Steps::new();
        steps.begin(&window, 0x1000 + first, step, 10, end);
        assert_eq!(steps.expects(), expected > 0);
        for number in 11..11 + expected {
            assert!(steps.go_on(number + 1).is_none() && steps.go_on(number - 1).is_none());
            assert!(steps.go_on(number).is_some(), "{number} from {first} by {step}");
        }
        assert!(steps.go_on(11 + expected).is_none(), "from {first} by {step}");
        assert_eq!((steps.take(), steps.take(), steps.expects()), (expected, 0, false));
    }
}
