/**
 * A layered drawing of a directed graph, top to bottom (Sugiyama's method): edges that go back are turned round, every
 * node gets the layer of its longest path, long edges become chains of small bends, barycentres order each layer, and
 * least squares without overlap place it. Knows boxes and links, nothing of programs. Equal input gives an equal drawing.
 */
@NullMarked
package dev.flowstone.dialect.drawing.layout;

import org.jspecify.annotations.NullMarked;
