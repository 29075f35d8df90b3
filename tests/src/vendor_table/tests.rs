use std::string::ToString;

use super::VendorTable;
use neuron_host_sim::cost::CostModel;

#[test]
fn what_is_fitted_fits_and_what_is_predicted_is_said() {
    let fitted = VendorTable::launched().unwrap().fit(&CostModel::default()).unwrap();
    for (name, predicted, judged) in &fitted.rows {
        assert_eq!(judged.error().abs() < 1e-6, !predicted, "{name}: {judged:?}");
    }
    let text = "\
modelled, not measured; two rows set an element's read to 243.2 ns, its write to 243.2 ns,
and what is around the op, in every row the same, to 3.912 ms an iteration
ReLU of the vendor          published it/s modelled it/s  error
accessor, 1 core                      8.10          8.10  fitted
TCM tiles of 1024, 1 core           220.70        220.70  fitted
TCM tiles of 1024, 8 cores          269.90        250.64  -7.1 %, predicted
training sample, accessors          117.47         84.38  -28.2 %, predicted
";
    assert_eq!(fitted.to_string(), text);
}

#[test]
fn if_writes_are_posted() {
    let mut model = CostModel::default();
    (model.hbm.read_ns, model.hbm.write_ns) = (400.0, 0.0);
    let fitted = VendorTable::launched().unwrap().fit(&model).unwrap();
    let read = fitted.model.hbm.read_ns;
    assert!((390.0..410.0).contains(&read) && fitted.model.hbm.write_ns == 0.0, "{read}");
}
