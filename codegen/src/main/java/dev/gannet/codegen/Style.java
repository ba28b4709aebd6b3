package dev.gannet.codegen;

import java.util.EnumSet;
import java.util.Set;

/** A way to call and to serve methods, for which classes are generated. */
enum Style {
  /** {@code Greeter} and {@code GreeterClient}. */
  BLOCKING,
  /** {@code GreeterAsync} and {@code GreeterAsyncClient}. */
  ASYNC,
  /** {@code GreeterObserverClient}. */
  OBSERVER;

  /** What is generated where nobody says. */
  static final Set<Style> DEFAULT = EnumSet.of(BLOCKING, ASYNC);
}
