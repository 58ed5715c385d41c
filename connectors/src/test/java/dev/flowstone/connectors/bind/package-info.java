@NullMarked
package dev.flowstone.connectors.bind;

import org.jspecify.annotations.NullMarked;
