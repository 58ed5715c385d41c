/**
 * How much of some work goes on at once, and how fast it begins. A {@link dev.flowstone.engine.limit.Line} of attempts begins its
 * first when all of its {@link dev.flowstone.engine.limit.Gate}s are open; else it waits at one that isn't, behind the lines that
 * came before. All of it is under one lock, and whoever changes anything lets begin what may, before it lets go of the lock.
 */
@NullMarked
package dev.flowstone.engine.limit;

import org.jspecify.annotations.NullMarked;
