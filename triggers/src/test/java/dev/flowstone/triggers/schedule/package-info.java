@NullMarked
package dev.flowstone.triggers.schedule;

import org.jspecify.annotations.NullMarked;
