/** What is read off states, for people and for those who edit what runs are about. */
@NullMarked
package dev.flowstone.kernel.read;

import org.jspecify.annotations.NullMarked;
