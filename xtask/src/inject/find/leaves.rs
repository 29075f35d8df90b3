//! The variables of which an expression is computed.

use syn::visit::{self, Visit};
use syn::{Expr, ExprField, ExprMethodCall, ExprPath};

/// The names of the numbers in it: not of what a method is called on, or a field taken of.
pub(super) fn leaves(expression: &Expr) -> Vec<String> {
    let mut leaves = Leaves(Vec::new());
    leaves.visit_expr(expression);
    leaves.0
}

struct Leaves(Vec<String>);

impl<'ast> Visit<'ast> for Leaves {
    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        self.0.extend(path.path.get_ident().map(ToString::to_string));
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if !matches!(*call.receiver, Expr::Path(_)) {
            self.visit_expr(&call.receiver);
        }
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_field(&mut self, field: &'ast ExprField) {
        if !matches!(*field.base, Expr::Path(_)) {
            visit::visit_expr_field(self, field);
        }
    }
}
