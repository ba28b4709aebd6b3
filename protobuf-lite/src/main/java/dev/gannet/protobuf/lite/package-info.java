/**
 * Messages of protobuf-javalite: serializing and parsing.
 *
 * <p>A separate module, because protobuf-javalite and protobuf-java have classes of the same names:
 * a program can only use one of them. Does not belong here: descriptors, which lite messages do not
 * have.
 */
@NullMarked
package dev.gannet.protobuf.lite;

import org.jspecify.annotations.NullMarked;
