/**
 * The vendors as their public documents describe them, on the loopback interface: with authentication, required fields, limits and their words
 * for what is wrong. {@code docs/connectors.md} says which document each shape is from.
 */
@NullMarked
package dev.flowstone.vendors.standin;

import org.jspecify.annotations.NullMarked;
