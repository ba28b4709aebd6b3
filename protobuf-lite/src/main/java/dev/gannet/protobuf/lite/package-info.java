/**
 * Messages of protobuf-javalite: how they are written and read.
 *
 * <p>A module of its own, because protobuf-javalite and protobuf-java have classes of the same
 * names: a program has one of them. What does not belong here: descriptors, which lite messages do
 * not have.
 */
@NullMarked
package dev.gannet.protobuf.lite;

import org.jspecify.annotations.NullMarked;
