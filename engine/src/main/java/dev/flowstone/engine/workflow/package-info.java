/** Definitions by tenant: drafts that may change, versions that never do. */
@NullMarked
package dev.flowstone.engine.workflow;

import org.jspecify.annotations.NullMarked;
