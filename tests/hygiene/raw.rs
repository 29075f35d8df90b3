//! Raw identifiers: the `r#` is Rust's, and no part of a name.

use neuron_device::prelude::*;

#[custom_op]
fn r#type(r#fn: &Q7, r#in: &Tensor, r#loop: f32, r#mut: &mut Tensor) -> Result<()> {
    let _ = (r#fn, r#in, r#loop, r#mut);
    Ok(())
}

mod r#match {
    use neuron_device::prelude::*;

    #[custom_op]
    pub(super) fn r#dyn(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }
}

neuron_library!(r#STATIC: "raw" = [r#type, r#match::r#dyn]);

#[test]
fn works() {
    assert_eq!(op!(r#type).name(), "type");
    assert_eq!(op!(r#type).parameters().iter().map(|p| p.name).collect::<Vec<_>>(), ["in", "loop"]);
    assert_eq!(op!(r#type).form(), neuron_device::Form::InPlace { destination: "mut" });
    assert_eq!(op!(r#match::r#dyn).name(), "dyn");
    assert_eq!(r#STATIC.ops().len(), 2);
}
