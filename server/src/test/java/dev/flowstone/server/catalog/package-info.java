@NullMarked
package dev.flowstone.server.catalog;

import org.jspecify.annotations.NullMarked;
