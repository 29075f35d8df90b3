//! The sites of a file: indices, bounds, steps, dimensions, shares and waits in its kernels and their helpers.

mod leaves;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, ExprMethodCall, ExprRange, ItemFn, ItemMod, Lit, Local, Macro, Pat};

use self::leaves::leaves;
use super::site::{Kind, Site};

/// Every site of the file, in the order of the text. Shape functions have none: they run on the host.
///
/// # Errors
/// A file that is no Rust.
pub(crate) fn find(source: &str) -> Result<Vec<Site>> {
    let file = syn::parse_file(source).context("is no Rust")?;
    let mut finder = Finder::default();
    finder.visit_file(&file);
    let mut sites = finder.sites;
    sites.sort_by_key(|site| (site.range.start, usize::MAX - site.range.end, site.kind));
    sites.dedup_by(|a, b| a.range == b.range && a.kind == b.kind);
    Ok(sites)
}

#[derive(Default)]
struct Finder {
    sites: Vec<Site>,
    /// Variables that occur in a site of the function.
    names: BTreeSet<String>,
    /// Variables the function makes, each from a computation.
    made: Vec<(String, Expr)>,
}

impl Finder {
    fn add(&mut self, kind: Kind, expression: &Expr) {
        if !matches!(kind, Kind::Order | Kind::Share | Kind::Span | Kind::Wait) {
            self.names.extend(leaves(expression));
        }
        let span = expression.span();
        let literal = match expression {
            Expr::Lit(ExprLit { lit: Lit::Int(value), .. }) => value.base10_parse().ok(),
            _ => None,
        };
        self.sites.push(Site { kind, range: span.byte_range(), line: span.start().line, literal });
    }

    /// The indices of an access: one, or an array of them.
    fn add_indices(&mut self, expression: &Expr) {
        let Expr::Array(array) = expression else { return self.add(Kind::Index, expression) };
        array.elems.iter().for_each(|index| self.add(Kind::Index, index));
        if array.elems.len() > 1 {
            self.add(Kind::Order, expression);
        }
    }

    /// A variable of a site is changed where it is made, too.
    fn add_made(&mut self) {
        let mut left = std::mem::take(&mut self.made);
        while let Some(at) = left.iter().position(|(name, _)| self.names.contains(name)) {
            let (_, expression) = left.swap_remove(at);
            self.add(Kind::Bound, &expression);
        }
    }

    fn note_made(&mut self, pattern: &Pat, expression: &Expr) {
        match (pattern, expression) {
            (Pat::Tuple(names), Expr::Tuple(values)) => {
                names.elems.iter().zip(&values.elems).for_each(|(name, value)| self.note_made(name, value));
            }
            (Pat::Ident(name), Expr::Binary(_)) => {
                self.made.push((name.ident.to_string(), expression.clone()))
            }
            (Pat::Ident(name), Expr::MethodCall(call)) if gives_a_number(call) => {
                self.made.push((name.ident.to_string(), expression.clone()));
            }
            _ => {}
        }
    }
}

/// Is it a call of a method that gives sizes and lengths?
fn gives_a_number(call: &ExprMethodCall) -> bool {
    ["size", "numel", "div_ceil", "min", "max"].iter().any(|name| call.method == name)
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if is_shape_function(function) {
            return;
        }
        visit::visit_block(self, &function.block);
        self.add_made();
        self.names.clear();
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !module.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, module);
        }
    }

    /// A constant is computed before there is a mutant.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}

    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}

    /// The ranges of a pattern are constants; its guard is not.
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.visit_expr(&guarded.guard);
        }
    }

    /// So is the length of an array.
    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    /// Arrays on the stack are Rust's own: a wrong index panics.
    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.visit_expr(&index.expr);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let Some(init) = &local.init else { return };
        self.note_made(&local.pat, &init.expr);
        self.visit_expr(&init.expr);
    }

    fn visit_expr_range(&mut self, range: &'ast ExprRange) {
        for end in [&range.start, &range.end].into_iter().flatten() {
            self.add(Kind::Bound, end);
        }
        visit::visit_expr_range(self, range);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let whole = || Expr::MethodCall(call.clone());
        match (call.method.to_string().as_str(), &arguments[..]) {
            ("get", [index]) | ("set", [index, _]) => self.add_indices(index),
            ("partition" | "partition_flat" | "partition_ceil", [n]) => {
                self.add(Kind::Bound, n);
                self.add(Kind::Share, &whole());
            }
            ("partition_tiles", [n, tile]) => {
                self.add(Kind::Bound, n);
                self.add(Kind::Bound, tile);
                self.add(Kind::Share, &whole());
            }
            (
                "tensor_to_tcm" | "tensor_to_tcm_storage_order" | "tensor_to_tcm_async" | "strided_to_tcm",
                [_, span, _],
            ) => self.add(Kind::Span, span),
            (
                "tcm_to_tensor" | "tcm_to_tensor_storage_order" | "tcm_to_tensor_async" | "tcm_to_strided",
                [_, offset, _],
            ) => self.add(Kind::Index, offset),
            ("wait", []) => self.add(Kind::Wait, &call.receiver),
            ("tcm_malloc", [n]) => self.add(Kind::Bound, n),
            ("tiles" | "step_by" | "div_ceil", [n]) => self.add(Kind::Bound, n),
            ("min", [most]) => self.add(Kind::Limit, most),
            ("size" | "unsqueeze", [dim]) => self.add(Kind::Dimension, dim),
            ("transpose", [a, b]) => {
                self.add(Kind::Dimension, a);
                self.add(Kind::Dimension, b);
            }
            ("slice" | "narrow" | "select", [dim, rest @ ..]) => {
                self.add(Kind::Dimension, dim);
                rest.iter().for_each(|number| self.add(Kind::Bound, number));
            }
            ("get_cpu_id", []) => self.add(Kind::Index, &whole()),
            ("get_cpu_count", []) => self.add(Kind::Bound, &whole()),
            _ => {}
        }
        visit::visit_expr_method_call(self, call);
    }

    /// Of macros, `match_dtype!` alone holds a kernel's work.
    fn visit_macro(&mut self, called: &'ast Macro) {
        if called.path.segments.last().is_some_and(|last| last.ident == "match_dtype")
            && let Ok(body) = syn::parse2::<Expr>(after_arrow(called.tokens.clone()))
        {
            self.visit_expr(&body);
        }
    }
}

/// What stands behind the first `=>`.
fn after_arrow(tokens: TokenStream) -> TokenStream {
    let is = |token: &TokenTree, sign| matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign);
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let arrow = tokens.windows(2).position(|pair| is(&pair[0], '=') && is(&pair[1], '>'));
    let body = arrow.map_or(tokens.len(), |at| at + 2);
    tokens.into_iter().skip(body).collect()
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
}

/// From specs of tensors to that of the output.
fn is_shape_function(function: &ItemFn) -> bool {
    let mut mentions = Mentions(false);
    function.sig.inputs.iter().for_each(|input| mentions.visit_fn_arg(input));
    mentions.0
}

struct Mentions(bool);

impl<'ast> Visit<'ast> for Mentions {
    fn visit_ident(&mut self, name: &'ast syn::Ident) {
        self.0 |= name == "TensorSpec";
    }
}
