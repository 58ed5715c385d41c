/** Tokens of an issuer that has keys, and complete ones of each kind of attack, for whatever takes tokens. */
@NullMarked
package dev.flowstone.testkit.token;

import org.jspecify.annotations.NullMarked;
