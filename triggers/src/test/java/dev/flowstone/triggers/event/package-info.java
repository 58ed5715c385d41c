@NullMarked
package dev.flowstone.triggers.event;

import org.jspecify.annotations.NullMarked;
