import { randomInt } from "node:crypto";

/** What can be worn, by slot. */
const WEARABLE = {
  head: ["iron_helm", "ranger_hood", "feathered_cap"],
  chest: ["scale_hauberk", "quilted_coat", "ashen_robe"],
  hands: ["chain_gauntlets", "fingerless_gloves"],
  feet: ["marsh_boots", "soft_slippers", "iron_greaves"],
  main_hand: ["longsword", "yew_bow", "storm_staff", "boarding_axe"],
  off_hand: ["round_shield", "lantern", "parrying_dagger"],
};

/** Each wearable item with its slot, in the order of a body. */
export const WARDROBE = Object.entries(WEARABLE).flatMap(([slot, items]) => items.map((itemId) => ({ slot, itemId })));

export const LOOKS = {
  bodyType: ["slight", "stout", "tall", "broad"],
  skinTone: ["umber", "sand", "olive", "porcelain"],
  hairStyle: ["braided", "cropped", "loose", "shaven"],
  hairColor: ["ash", "copper", "raven", "silver"],
  eyeColor: ["grey", "hazel", "green", "amber"],
};

/** Something in most slots, at least in the main hand. */
export function someOutfit(): { slots: string[]; itemIds: string[] } {
  const slots = Object.entries(WEARABLE).filter(([slot]) => slot === "main_hand" || randomInt(5) > 0);
  return { slots: slots.map(([slot]) => slot), itemIds: slots.map(([, items]) => oneOf(items)) };
}

/** One of each. */
export function someLooks(): Record<keyof typeof LOOKS, string> {
  const { bodyType, skinTone, hairStyle, hairColor, eyeColor } = LOOKS;
  return {
    bodyType: oneOf(bodyType),
    skinTone: oneOf(skinTone),
    hairStyle: oneOf(hairStyle),
    hairColor: oneOf(hairColor),
    eyeColor: oneOf(eyeColor),
  };
}

// Every list above has an entry.
const oneOf = (choices: string[]) => choices[randomInt(choices.length)] as string;
