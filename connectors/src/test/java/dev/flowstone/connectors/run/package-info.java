@NullMarked
package dev.flowstone.connectors.run;

import org.jspecify.annotations.NullMarked;
