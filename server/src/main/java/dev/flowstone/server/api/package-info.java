/** The REST routes under {@code /api/v1}, in dataflow.md's words; the engine's own words end here. */
@NullMarked
package dev.flowstone.server.api;

import org.jspecify.annotations.NullMarked;
