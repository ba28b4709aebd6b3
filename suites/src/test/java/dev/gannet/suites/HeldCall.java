package dev.gannet.suites;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;

/** A call in the hand of a test that plays its server: what came is kept, what goes is said. */
final class HeldCall implements ServerCall.Listener<String> {
  private final ServerCall<String, String> call;
  private final Metadata headers;
  private final List<String> messages = new ArrayList<>();
  private int readies;
  private int halfCloses;
  private int cancels;
  private int completes;

  HeldCall(ServerCall<String, String> call, Metadata headers) {
    this.call = call;
    this.headers = headers;
  }

  ServerCall<String, String> call() {
    return call;
  }

  void answers(String... responses) {
    for (String response : responses) {
      call.sendMessage(response);
    }
  }

  void ends() {
    ends(Status.OK);
  }

  void ends(Status status) {
    call.close(status, new Metadata());
  }

  Metadata headers() {
    return headers;
  }

  List<String> messages() {
    return messages;
  }

  int readies() {
    return readies;
  }

  int halfCloses() {
    return halfCloses;
  }

  int cancels() {
    return cancels;
  }

  int completes() {
    return completes;
  }

  @Override
  public void onReady() {
    readies++;
  }

  @Override
  public void onMessage(String message) {
    messages.add(message);
  }

  @Override
  public void onHalfClose() {
    halfCloses++;
  }

  @Override
  public void onCancel() {
    cancels++;
  }

  @Override
  public void onComplete() {
    completes++;
  }
}
