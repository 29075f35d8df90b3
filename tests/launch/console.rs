//! What kernels print (`docs/machine.md`, section 11).

use std::fmt;

use neuron_device::prelude::*;
use neuron_host_sim::{
    FaultKind, HostTensor, MAX_CONSOLE, Printed, Report, Simulator, SimulatorBuilder, args,
};

/// Every core prints as many lines as there are elements.
#[custom_op]
fn lines(q7: &Q7, x: &Tensor, _out: &mut Tensor) -> Result<()> {
    for line in 0..x.numel() {
        neuron_println!(q7, "core {} line {line}", q7.get_cpu_id());
    }
    Ok(())
}

/// Prints what nobody may look at.
#[custom_op]
fn secretive(q7: &Q7, x: &Tensor, _out: &mut Tensor) -> Result<()> {
    struct Secret;
    impl fmt::Display for Secret {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("somebody looked");
        }
    }
    neuron_println!(q7, "{Secret} {}", x.elements::<i64>(q7)?.get(1000));
    Ok(())
}

/// Prints one long line on core 1, and an empty one.
#[custom_op]
fn long(q7: &Q7, x: &Tensor, _out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 1 {
        neuron_println!(q7, "{:>width$}|", x.numel(), width = 1000);
        neuron_println!(q7);
    }
    Ok(())
}

fn launch(builder: SimulatorBuilder, op: &'static neuron_device::Op, numel: u32) -> Report {
    let mut sim = builder.without(FaultKind::Coverage).build().unwrap();
    sim.launch(op, &args![&HostTensor::zeros(Dtype::I64, &[numel]).unwrap()]).unwrap()
}

/// M06: printing from several cores hung, interleaved, or lost lines without a word.
#[test]
fn m06_eight_cores_print_ten_thousand_lines_each() {
    let slots = u64::from(MAX_CONSOLE) / 256;
    for builder in [Simulator::builder(), Simulator::builder().unchecked()] {
        let reports = [1, 2, 8].map(|threads| launch(builder.host_threads(threads), op!(lines), 10_000));
        for report in &reports {
            report.assert_clean();
            assert_eq!(report.printed().len(), 8);
            for (core, printed) in (0..).zip(report.printed()) {
                let line = |line| format!("core {core} line {line}");
                let kept: Vec<String> = (10_000 - slots..10_000).map(line).collect();
                assert!(*printed == reports[0].printed()[core as usize] && printed.lines == kept);
                assert_eq!((printed.core, printed.lost), (core, 10_000 - slots));
            }
        }
        let text = reports[0].to_string();
        let last = text.lines().filter(|line| line.ends_with("line 9999")).collect::<Vec<_>>();
        let expected: Vec<String> =
            (0..8).map(|core| format!("core {core} printed: core {core} line 9999")).collect();
        assert_eq!(last, expected);
        assert!(text.contains("core 3 printed 9488 slots that were lost, and then:\n"), "{text}");
        let json = reports[0].to_json();
        assert_eq!(json["printed"][7]["lost"], 9488);
        assert_eq!(json["printed"][7]["lines"][511], "core 7 line 9999");
    }
}

#[test]
fn where_the_console_is_off_nothing_is_formatted_and_no_argument_evaluated() {
    let report = launch(Simulator::builder().console(0), op!(secretive), 8);
    report.assert_clean();
    assert_eq!((report.printed(), report.total().loads), (&[][..], 0));
    let report = launch(Simulator::builder(), op!(secretive), 8);
    assert!(report.to_string().contains("panicked: somebody looked"), "{report}");
}

#[test]
fn a_long_line_is_one_line_and_as_many_slots_as_it_takes() {
    let line = format!("{:>1000}|", 8);
    let printed =
        |bytes| launch(Simulator::builder().cores(3).console(bytes), op!(long), 8).printed().to_vec();
    let all = printed(2048);
    let [Printed { core: 1, lines, lost: 0, .. }] = &all[..] else { panic!("{all:?}") };
    assert_eq!(*lines, [line.as_str(), ""]);
    // 1001 bytes are five slots, the empty line is one; a queue of two has lost four.
    let few = printed(512);
    let [Printed { core: 1, lines, lost: 4, .. }] = &few[..] else { panic!("{few:?}") };
    assert_eq!(*lines, [&line[960..], ""]);
}

/// In the text each line is the core's, and none of it moves a terminal's cursor; the lines themselves are as they were printed.
#[test]
fn what_is_printed_looks_like_nothing_else_of_the_report() {
    #[custom_op]
    fn odd(q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
        neuron_println!(q7, "as in C\n");
        neuron_println!(q7, "two\nlines\tand {}", '\u{1b}');
        // Its last character does not fit the first slot.
        neuron_println!(q7, "{:>240}", "é");
        Ok(())
    }
    let report = launch(Simulator::builder().cores(1), op!(odd), 8);
    let wide = format!("{:>240}", "é");
    assert_eq!(report.printed()[0].lines, ["as in C\n", "two\nlines\tand \u{1b}", wide.as_str()]);
    let text = report.to_string();
    let printed: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("core 0 printed: ")).collect();
    assert_eq!(printed, ["as in C", "two", "lines\tand \\u{1b}", wide.as_str()]);
}

#[test]
fn what_a_core_printed_before_it_was_stopped_is_there() {
    #[custom_op]
    fn unlucky(q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
        neuron_println!(q7, "about to fail");
        Err(Error::message("as announced"))
    }
    let report = launch(Simulator::builder().cores(1), op!(unlucky), 8);
    assert!(!report.is_clean());
    assert_eq!(report.printed()[0].lines, ["about to fail"]);
    // A launch prints its own lines only.
    let report = launch(Simulator::builder().cores(1), op!(lines), 1);
    assert_eq!(report.printed()[0].lines, ["core 0 line 0"]);
}
