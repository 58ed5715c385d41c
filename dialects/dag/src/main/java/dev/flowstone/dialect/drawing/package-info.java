/** Draws any program, whichever dialect it came from, as SVG or Mermaid; with the path that a run took, if there is one. */
@NullMarked
package dev.flowstone.dialect.drawing;

import org.jspecify.annotations.NullMarked;
