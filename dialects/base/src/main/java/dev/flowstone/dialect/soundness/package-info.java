/**
 * Whether a program can get stuck, whatever its conditions say: a walk over its reachable markings. A marking is where the
 * tokens are; a settling scope counts as one step, because it always settles and only the ways out of it matter.
 */
@NullMarked
package dev.flowstone.dialect.soundness;

import org.jspecify.annotations.NullMarked;
