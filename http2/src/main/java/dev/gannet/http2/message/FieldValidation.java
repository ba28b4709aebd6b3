package dev.gannet.http2.message;

/** The result of checking one field against HTTP's grammar: its kind, or what is wrong with it. */
sealed interface FieldValidation permits FieldSort, Flaw {}
