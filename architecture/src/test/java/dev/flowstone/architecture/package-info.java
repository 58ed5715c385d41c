/**
 * The house rules that a compiler cannot see: which floor may use which, and what each floor must do without. Every rule says why it
 * stands; whoever needs an exception argues with the reason, not with the rule.
 */
@NullMarked
package dev.flowstone.architecture;

import org.jspecify.annotations.NullMarked;
