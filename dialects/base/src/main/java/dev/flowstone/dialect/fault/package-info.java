/** What is wrong with a source: every fault by name, place and remedy, all of them at once, in the order of the text. */
@NullMarked
package dev.flowstone.dialect.fault;

import org.jspecify.annotations.NullMarked;
