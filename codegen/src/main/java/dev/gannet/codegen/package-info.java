/**
 * The protoc plug-in: generates Java source from the definition of a service.
 *
 * <p>{@code Main} communicates with protoc, {@code Generator} turns a request into a response, and
 * each {@code …File} class writes one kind of source file. Classes that generated code needs at run
 * time do not belong here, nor do message classes, which protoc generates itself.
 */
@NullMarked
package dev.gannet.codegen;

import org.jspecify.annotations.NullMarked;
