mod kernels {
    pub(crate) static __op_relu: neuron_device::Op = neuron_device::Op::new(
        c"relu",
        neuron_device::Source { file: "", line: 0 },
        &[],
        neuron_device::Form::Returning,
        None,
        |_| Ok(()),
    );
}

neuron_library!(pub(crate) PLAIN: "plain" = [kernels::relu]);
neuron_library! {
    crate = neuron_device;
    /// Documented by its author.
    #[allow(dead_code)]
    DOCUMENTED: "documented" = [self::kernels::relu]
}
