package dev.gannet.transport.inprocess;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A listener of a client that remembers what it is told. */
final class Heard implements ClientCall.Listener<String> {
  private static final int MAX_SECONDS = 20;

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final AtomicReference<Metadata> headers = new AtomicReference<>();
  private final CompletableFuture<Status> status = new CompletableFuture<>();
  private final AtomicReference<Metadata> trailers = new AtomicReference<>();
  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private final AtomicInteger readies = new AtomicInteger();

  @Override
  public void onHeaders(Metadata headers) {
    this.headers.set(headers);
  }

  @Override
  public void onMessage(String message) {
    messages.add(message);
  }

  @Override
  public void onReady() {
    readies.incrementAndGet();
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    this.trailers.set(trailers);
    thread.set(Thread.currentThread());
    this.status.complete(status);
  }

  List<String> messages() {
    return messages;
  }

  Optional<Metadata> headers() {
    return Optional.ofNullable(headers.get());
  }

  Metadata trailers() {
    return trailers.get();
  }

  int readies() {
    return readies.get();
  }

  boolean isClosed() {
    return status.isDone();
  }

  /** The thread that was told of the end. */
  Thread thread() {
    return thread.get();
  }

  /** How the call ended, when it has. */
  Status status() {
    return status.orTimeout(MAX_SECONDS, TimeUnit.SECONDS).join();
  }
}
