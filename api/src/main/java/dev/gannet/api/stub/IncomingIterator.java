package dev.gannet.api.stub;

import java.util.Iterator;

/** An incoming stream for {@code for} loops. */
record IncomingIterator<T>(Incoming<T> incoming) implements Iterator<T> {
  @Override
  public boolean hasNext() {
    return incoming.hasNext();
  }

  @Override
  public T next() {
    return incoming.next();
  }
}
