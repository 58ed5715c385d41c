/** Published policies: bundles by name, each change a version that never changes. */
@NullMarked
package dev.flowstone.engine.policy;

import org.jspecify.annotations.NullMarked;
