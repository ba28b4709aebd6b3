/** Call credentials of google-auth-library. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // google-auth-library has no descriptors
module dev.gannet.auth {
  requires transitive com.google.auth;
  requires transitive dev.gannet.api;
  requires static org.jspecify;

  exports dev.gannet.auth;
}
