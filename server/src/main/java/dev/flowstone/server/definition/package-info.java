/** Where the dialects meet the engine: sources become programs and faults, stored programs are decoded once and kept. */
@NullMarked
package dev.flowstone.server.definition;

import org.jspecify.annotations.NullMarked;
