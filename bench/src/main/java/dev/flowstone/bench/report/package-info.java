/** One form for everything that is found: lines for people, one object for programs, curves to draw, the environment. */
@NullMarked
package dev.flowstone.bench.report;

import org.jspecify.annotations.NullMarked;
