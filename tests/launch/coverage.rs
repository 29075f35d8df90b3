//! Elements of the output that were not written exactly once.

use neuron_device::op;
use neuron_host_sim::{HostTensor, Verdict, args};
use proptest::prelude::*;

use crate::{found, kernels, ramp, simulator, the};

#[test]
fn n02_the_remainder_belongs_to_nobody() {
    let report = simulator().launch(op!(kernels::floor_split), &args![&ramp(&[9])]).unwrap();
    assert_eq!(found(&report), [(Verdict::NeverWritten, "out", 1)]);
    let fault = the(&report, Verdict::NeverWritten);
    assert_eq!((fault.first.as_str(), &fault.cores[..]), ("[8]", &[0, 1, 2, 3, 4, 5, 6, 7][..]));
    assert!(fault.lines[0].site.file().ends_with("launch/kernels.rs"), "{report}");
}

/// R06: elements written by two cores are found; who wrote them, and where, is named.
#[test]
fn r06_two_cores_write_one_element() {
    let report = simulator().launch(op!(kernels::overlapping), &args![&ramp(&[17])]).unwrap();
    // Core 0 has 3 elements and each other core 2; each but the last writes its neighbour's first as well: elements
    // 3, 5, 7 and so on, from one line.
    let fault = the(&report, Verdict::WrittenBySeveralCores);
    assert_eq!((fault.first.as_str(), fault.count, fault.lines.len()), ("[3]", 7, 1), "{report}");
    assert_eq!(fault.cores, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn r06_all_cores_write_all_and_the_last_is_kept() {
    let report = simulator().launch(op!(kernels::all_write_all), &args![&ramp(&[100])]).unwrap();
    assert_eq!(found(&report), [(Verdict::WrittenBySeveralCores, "out", 100)]);
    assert_eq!(report.faults()[0].cores, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(
        report.output().to_host().to_vec::<f32>().unwrap(),
        [7.0; 100],
        "merged in the order of the cores"
    );
}

/// Elements written from other lines are another fault, so that each fault has the lines that made it, and no others.
#[test]
fn faults_are_told_apart_by_their_lines() {
    let report = simulator().launch(op!(kernels::two_lines), &args![&ramp(&[2])]).unwrap();
    let faults = report.faults();
    assert_eq!((faults[0].count, faults[1].count, faults.len()), (1, 1, 2), "{report}");
    assert!(
        faults.iter().all(|fault| fault.lines.len() == 1) && faults[0].lines != faults[1].lines,
        "{report}"
    );
}

#[test]
fn indices_are_given_in_the_tensors_own_dimensions() {
    let report = simulator().launch(op!(kernels::half), &args![&ramp(&[5, 6])]).unwrap();
    let fault = the(&report, Verdict::NeverWritten);
    assert_eq!((fault.first.as_str(), fault.count), ("[0, 3]", 15));
}

#[test]
fn nobody_opened_the_output() {
    let report = simulator().launch(op!(kernels::nothing), &args![&ramp(&[5])]).unwrap();
    let fault = the(&report, Verdict::NeverWritten);
    assert_eq!((fault.count, fault.lines.len(), fault.cores.len()), (5, 0, 0));
    assert!(report.to_string().contains("no core opened `out` for writing"), "{report}");
}

/// R07: what is right is not reported: disjoint shares, shared reading, two launches one after the other.
#[test]
fn r07_clean_launches_are_silent() {
    let mut sim = simulator();
    let x = sim.upload(&ramp(&[1000])).unwrap();
    let first = sim.launch(op!(neuron_examples::relu::relu), &args![&x]).unwrap();
    first.assert_clean();
    let second =
        sim.launch(op!(neuron_examples::vector_add::vector_add), &args![first.output(), &x, 2.0f32]).unwrap();
    second.assert_clean();
    sim.launch_into(op!(neuron_examples::relu::relu), &args![&x], second.output()).unwrap().assert_clean();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A model of coverage: random writes by random cores into a random view, counted one by one.
    #[test]
    fn coverage_equals_a_count(
        writes in prop::collection::vec((0u32..8, 0u32..6, 0u32..7), 0..120),
        view in prop::sample::select(vec![[7i64, 1], [1, 6], [20, 2], [9, 1]]),
        offset in 0u64..5,
    ) {
        let script: Vec<i32> = writes.iter().flat_map(|&(core, i, j)| [core, i, j]).map(|v| v as i32).collect();
        let script = HostTensor::from_slice(&[writes.len() as u32, 3], &script).unwrap();
        let mut sim = simulator();
        let storage = sim.zeros(neuron_device::Dtype::I32, &[200]).unwrap();
        let out = storage.as_strided(&[6, 7], &view, offset).unwrap();
        let report = sim.launch_into(op!(scripted), &args![&script], &out).unwrap();
        let mut counts = [[0u8; 7]; 6];
        for &(core, i, j) in &writes {
            counts[i as usize][j as usize] |= 1 << core;
        }
        let cells = || counts.iter().flatten();
        let count = |verdict| {
            report.faults().iter().filter(|fault| fault.verdict == verdict).map(|fault| fault.count).sum::<u64>()
        };
        prop_assert_eq!(count(Verdict::NeverWritten), cells().filter(|&&cores| cores == 0).count() as u64);
        let several = cells().filter(|cores| cores.count_ones() > 1).count() as u64;
        prop_assert_eq!(count(Verdict::WrittenBySeveralCores), several);
        // Merged in the order of the cores: the highest core that wrote an element is what is left in it.
        let left: Vec<i32> = cells().map(|cores| 8 - cores.leading_zeros() as i32).collect();
        prop_assert_eq!(out.to_host().to_vec::<i32>().unwrap(), left);
    }
}

/// Writes what a script says: rows of core, i, j. Core c writes c + 1.
#[neuron_device::custom_op(shape = scripted_shape)]
fn scripted(
    q7: &neuron_device::Q7,
    script: &neuron_device::Tensor,
    out: &mut neuron_device::Tensor,
) -> neuron_device::Result<()> {
    let (rows, cells) = (script.accessor::<i32, 2>(q7)?, out.accessor_mut::<i32, 2>(q7)?);
    let me = q7.get_cpu_id() as i32;
    for row in (0..rows.size(0)).filter(|&row| rows.get([row, 0]) == me) {
        cells.set([rows.get([row, 1]) as u32, rows.get([row, 2]) as u32], me + 1);
    }
    Ok(())
}

fn scripted_shape(_: &[neuron_device::TensorSpec]) -> neuron_device::Result<neuron_device::TensorSpec> {
    neuron_device::TensorSpec::new(neuron_device::Dtype::I32, &[6, 7])
}
